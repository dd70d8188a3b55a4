// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

/** How often a device tries again, for programs whose users cannot set that: DiSNI's own value is 0. */
final class Retries {
    /** The system property with the least number of retries of every connection. */
    static final String PROPERTY = "rdma4j.disni.retries";

    private static final int MOST = 7;

    private Retries() {}

    /** What the program asks for, within the limit of the kernel, but no less than the property says. */
    static int of(byte asked) {
        return of(asked, System.getProperty(PROPERTY, "0"));
    }

    static int of(byte asked, String least) {
        if (!least.matches("[0-7]")) {
            throw new IllegalArgumentException("the system property " + PROPERTY + " is \"" + least
                    + "\", and must be a number from 0 to " + MOST);
        }
        return Math.max(Integer.parseInt(least), Math.min(MOST, Byte.toUnsignedInt(asked)));
    }
}
