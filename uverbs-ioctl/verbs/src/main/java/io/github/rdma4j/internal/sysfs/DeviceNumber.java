// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.sysfs;

/**
 * The number of a character device: {@code dev_t} as stat(2) and RDMA netlink encode it, eight bits of the minor number
 * at the bottom, then twelve of the major number, then the rest of the minor number.
 */
public final class DeviceNumber {
    private static final int MINOR_LOW = 0xff;
    private static final int MAJOR_SHIFT = 8;
    private static final int MAJOR_MASK = 0xfff;
    private static final int MINOR_HIGH_SHIFT = 12;
    private static final int MINOR_HIGH = 0xfff00;

    private DeviceNumber() {}

    public static long of(int major, int minor) {
        return (long) (minor & MINOR_HIGH) << MINOR_HIGH_SHIFT | (long) major << MAJOR_SHIFT | (minor & MINOR_LOW);
    }

    public static int major(long device) {
        return (int) (device >> MAJOR_SHIFT) & MAJOR_MASK;
    }

    public static int minor(long device) {
        return (int) ((device & MINOR_LOW) | ((device >> MINOR_HIGH_SHIFT) & MINOR_HIGH));
    }

    /** The form of sysfs, for example {@code 231:192}. */
    public static String text(long device) {
        return major(device) + ":" + minor(device);
    }
}
