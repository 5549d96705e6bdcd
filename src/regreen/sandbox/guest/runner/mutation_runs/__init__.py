"""What is seen of a program while its checks run: lines, values, distances, answers."""
