"""What stands in, on either side of the wall, for objects of the other one."""
