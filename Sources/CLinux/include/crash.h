#ifndef ENTITLD_CRASH_H
#define ENTITLD_CRASH_H

/*
 * From here on, a crash writes one line to standard error and ends the process at once with the
 * signal that stands for it: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE or SIGSEGV. `program` begins
 * the line, which names the signal, what caused it, the instruction and the thread.
 *
 * Takes the place of the handlers of Swift's runtime, which start another process to print a
 * backtrace and keep the crashed one for many seconds. SWIFT_BACKTRACE with enable=yes in the
 * environment asks for that backtrace, and keeps them.
 *
 * A handler that is installed later for some addresses passes other faults on to the one that it
 * replaced.
 */
void linux_report_crashes(const char *program);

/*
 * Takes the place of each standard descriptor that is closed, by one that reads as empty and can
 * not be written. Else the next file or socket would have its number, and get what is printed.
 */
void linux_hold_standard_descriptors(void);

#endif
