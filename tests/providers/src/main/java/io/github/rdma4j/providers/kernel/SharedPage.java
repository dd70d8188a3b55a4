// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A page that the process can map once: doorbells, or what the kernel tells the process. */
final class SharedPage {
    private final Hca hca;
    private final long address;
    private final Pinned pin;
    private boolean mapped;

    SharedPage(Hca hca) {
        this.hca = hca;
        this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
        this.pin = hca.memory().pin(address, Mappings.PAGE);
    }

    /** The page as the device reaches it. */
    Pinned pin() {
        return pin;
    }

    /** The bytes of the page, in native byte order. */
    ByteBuffer bytes() {
        return NativeMemory.view(address, Mappings.PAGE).order(ByteOrder.nativeOrder());
    }

    /** The address, or minus the error number. */
    long map(int length) {
        if (mapped || length != Mappings.PAGE) {
            return OpenFile.refused(Errno.EINVAL);
        }
        mapped = true;
        return address;
    }

    /** The device is gone: the process finds zeros, and stores go nowhere. */
    void clear() {
        hca.memory().clear(address, Mappings.PAGE);
    }

    void close() {
        hca.memory().unpin(pin);
        if (!mapped) {
            hca.memory().free(address);
        }
    }
}
