// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.uverbs.XrcdCommands;

/** Whether {@code XrcDomain.open} finds an XRC domain or makes it ({@code oflags}). */
public enum XrcdOpening {
    /** The domain must be there: some process has it open. */
    EXISTING(0),
    /** {@code O_CREAT}: the domain is made unless it is there. */
    CREATE(XrcdCommands.O_CREAT),
    /** {@code O_CREAT | O_EXCL}: the domain must not be there. */
    CREATE_NEW(XrcdCommands.O_CREAT | XrcdCommands.O_EXCL);

    private final int flags;

    XrcdOpening(int flags) {
        this.flags = flags;
    }

    /** The bits of {@code oflags} in C. */
    public int flags() {
        return flags;
    }
}
