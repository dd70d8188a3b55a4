// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.util.Set;

/** The failures for lack of memory, descriptors, queue pairs or other resources of this process or of the device. */
final class Shortage {
    private static final Set<Errno> ANSWERS =
            Set.of(Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE, Errno.EAGAIN, Errno.ENOSPC);

    private Shortage() {}

    static boolean isCauseOf(Throwable failure) {
        return failure instanceof OutOfMemoryError
                || (failure instanceof ErrnoException refused && ANSWERS.contains(refused.errno()));
    }
}
