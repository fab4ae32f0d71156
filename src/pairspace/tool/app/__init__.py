"""The page that asks a person: are these two the same?"""
