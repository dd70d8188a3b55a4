// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jnr.constants.platform.linux.Errno;

/** Names and descriptions of asm-generic/errno-base.h and errno.h, and of the kernel-internal 524. */
final class ErrnoTable {
    private static final Entry ENOTSUPP = new Entry("ENOTSUPP", "Operation is not supported by the kernel driver");

    /** Second names of a number. */
    private static final Set<Errno> ALIASES = EnumSet.of(Errno.EWOULDBLOCK, Errno.EDEADLOCK, Errno.ENOTSUP);

    private static final Map<Integer, Entry> ENTRIES = entries();

    private ErrnoTable() {}

    record Entry(String name, String text) {}

    /** Returns the row of {@code number}; for an unknown number, a row that contains it. */
    static Entry lookup(int number) {
        Entry known = ENTRIES.get(number);
        return known != null ? known : new Entry("errno " + number, "Unknown error " + number);
    }

    private static Map<Integer, Entry> entries() {
        Map<Integer, Entry> entries = new HashMap<>();
        for (Errno errno : EnumSet.complementOf(EnumSet.copyOf(ALIASES))) {
            entries.put(errno.intValue(), new Entry(errno.name(), errno.toString()));
        }
        entries.put(io.github.rdma4j.kernel.Errno.ENOTSUPP.number(), ENOTSUPP);
        return entries;
    }
}
