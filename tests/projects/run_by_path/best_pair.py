n = int(input())
numbers = list(map(int, input().split()))
best = 0
for i in range(n):
    for j in range(i + 1, n):
        best = max(best, numbers[i] - numbers[j])
print(best)
