// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/**
 * A system call failed. The message names the operation, the number with its C name, and, where something can be done
 * about it, the command that does it.
 */
public final class ErrnoException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int number;
    private final String advice;

    public ErrnoException(String operation, Errno errno) {
        this(operation, errno, "");
    }

    /** {@code advice} is a sentence on what to do, or empty. */
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
     * This failure with a message that also names {@code subject}, the object that the operation was for. {@code fallback}
     * becomes the advice if this failure has none. The stack trace stays that of this exception.
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

    /** The operation in the kernel's words, for example {@code RDMA_USER_CM_CMD_CONNECT}. */
    public String operation() {
        return operation;
    }

    /** The number that the kernel gave. */
    public Errno errno() {
        return new Errno(number);
    }
}
