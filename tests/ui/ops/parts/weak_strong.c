int overridden(void) { return 10; }
int weak_data = 30;
int strong_data = 5;
