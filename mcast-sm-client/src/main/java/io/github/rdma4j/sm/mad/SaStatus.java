// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

/**
 * The status of an answer. The low byte has the same meaning in all management classes; subnet administration defines
 * the high byte.
 *
 * @param raw all 16 bits, 0 for success
 */
public record SaStatus(int raw) {
    public static final int BUSY = 0x0001;
    public static final int REDIRECT = 0x0002;

    /** The full status returned by the kernel when nothing on the port handles the request. */
    public static final int METHOD_ATTRIBUTE_NOT_SUPPORTED = 0x000c;

    public static final int NO_RESOURCES = 0x0100;
    public static final int REQUEST_INVALID = 0x0200;
    public static final int NO_RECORDS = 0x0300;
    public static final int TOO_MANY_RECORDS = 0x0400;
    public static final int INVALID_GID = 0x0500;
    public static final int INSUFFICIENT_COMPONENTS = 0x0600;
    public static final int REQUEST_DENIED = 0x0700;
    public static final int PRIORITY_SUGGESTED = 0x0800;

    private static final int CODE_SHIFT = 2;
    private static final int CODE = 7;
    private static final int CLASS_SPECIFIC = 0xff00;
    private static final int BAD_VERSION = 1;
    private static final int BAD_METHOD = 2;
    private static final int BAD_METHOD_ATTRIBUTE = 3;
    private static final int BAD_VALUE = 7;

    /** Returns true if the request succeeded. */
    public boolean isSuccess() {
        return raw == 0;
    }

    /** True when subnet administration is busy; the same request may succeed later. */
    public boolean isBusy() {
        return (raw & BUSY) != 0;
    }

    /** True when another port serves such requests; the ClassPortInfo of the answer names it. */
    public boolean isRedirect() {
        return (raw & REDIRECT) != 0;
    }

    /** True when the high byte is {@code code}, for example {@link #NO_RECORDS}. */
    public boolean is(int code) {
        return (raw & CLASS_SPECIFIC) == code;
    }

    /** The meaning, in the words of the specification. */
    public String text() {
        return switch (raw & CLASS_SPECIFIC) {
            case 0 -> generic();
            case NO_RESOURCES -> "insufficient resources";
            case REQUEST_INVALID -> "request invalid";
            case NO_RECORDS -> "no records match";
            case TOO_MANY_RECORDS -> "more than one record matches";
            case INVALID_GID -> "requester's GID is invalid";
            case INSUFFICIENT_COMPONENTS -> "insufficient components in the request";
            case REQUEST_DENIED -> "request denied";
            case PRIORITY_SUGGESTED -> "priority suggested";
            default -> "not in the specification";
        };
    }

    private String generic() {
        if (isBusy()) {
            return "busy";
        }
        if (isRedirect()) {
            return "redirected";
        }
        return switch (raw >> CODE_SHIFT & CODE) {
            case 0 -> "success";
            case BAD_VERSION -> "class version not supported";
            case BAD_METHOD -> "method not supported";
            case BAD_METHOD_ATTRIBUTE -> "method not supported for the attribute";
            case BAD_VALUE -> "a field has an invalid value";
            default -> "not in the specification";
        };
    }

    /** For example {@code 0x0300 (no records match)}. */
    @Override
    public String toString() {
        return String.format("0x%04x (%s)", raw, text());
    }
}
