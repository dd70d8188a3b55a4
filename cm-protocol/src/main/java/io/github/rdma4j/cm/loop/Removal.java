// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the kernel answers while a device is being removed; the ids on the device are told of that by DEVICE_REMOVAL. */
final class Removal {
    /** The connection manager answers with the first two, and verbs with the last. */
    private static final Set<Errno> ANSWERS = Set.of(Errno.ENXIO, Errno.ENODEV, Errno.EIO);

    private Removal() {}

    static boolean isCauseOf(@Nullable Throwable refusal) {
        return refusal instanceof ErrnoException e && ANSWERS.contains(e.errno());
    }
}
