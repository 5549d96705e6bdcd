def count(text):
    words = {}
    for word in text.split():
        words[word] = words.get(word, 1) + 1
    return words
