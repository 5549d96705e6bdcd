def line(count, price):
    return (count, price)
