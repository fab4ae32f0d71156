"""
Documents
=========

