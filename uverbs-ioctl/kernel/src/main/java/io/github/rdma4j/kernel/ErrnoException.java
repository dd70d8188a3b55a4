// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/**
 * Thrown when a system call fails. The message contains the operation, the error number with its C name and, if there
 * is a remedy, advice.
 */
public final class ErrnoException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int number;
    private final String advice;

    /** Creates an exception without advice. */
    public ErrnoException(String operation, Errno errno) {
        this(operation, errno, "");
    }

    /** Creates an exception; {@code advice} suggests a remedy and may be empty. */
    public ErrnoException(String operation, Errno errno, String advice) {
        this(operation, errno, "", advice);
    }

    private ErrnoException(String operation, Errno errno, String subject, String advice) {
        super(operation + ": " + errno + subject + (advice.isEmpty() ? "" : ". " + advice));
        this.operation = operation;
        this.number = errno.number();
        this.advice = advice;
    }

    /**
     * Returns a copy whose message also names {@code subject}, the object of the operation. {@code fallback} becomes
     * the advice if this exception has none. The copy has the stack trace of this exception.
     */
    public ErrnoException withSubject(Object subject, String fallback) {
        ErrnoException explained =
                new ErrnoException(operation, errno(), ", " + subject, advice.isEmpty() ? fallback : advice);
        explained.setStackTrace(getStackTrace());
        for (Throwable suppressed : getSuppressed()) {
            explained.addSuppressed(suppressed);
        }
        return explained;
    }

    /** Returns the operation as the kernel names it, for example {@code RDMA_USER_CM_CMD_CONNECT}. */
    public String operation() {
        return operation;
    }

    /** Returns the error number. */
    public Errno errno() {
        return new Errno(number);
    }
}
