// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The error numbers of the kernel while a device is being removed. The ids on the device get DEVICE_REMOVAL. */
final class Removal {
    /** ENXIO and ENODEV come from the connection manager, EIO from verbs. */
    private static final Set<Errno> ANSWERS = Set.of(Errno.ENXIO, Errno.ENODEV, Errno.EIO);

    private Removal() {}

    static boolean isCauseOf(@Nullable Throwable refusal) {
        return refusal instanceof ErrnoException e && ANSWERS.contains(e.errno());
    }
}
