// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Pinned;
import io.github.rdma4j.providers.card.UarPage;
import java.util.List;

/** A page of doorbells, which the process can map once. */
final class UarObject extends KernelObject {
    /** The command of an mmap offset that came from the kernel. */
    private static final long FIRST_OFFSET = 9L << 8;

    private final Hca hca;
    private final long address;
    private final Pinned pin;
    private final UarPage page;
    private boolean mapped;

    private UarObject(Hca hca, int index) {
        super("uar", List.of());
        this.hca = hca;
        this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
        this.pin = hca.memory().pin(address, Mappings.PAGE);
        this.page = new UarPage(index, pin);
        hca.card().addPage(page);
    }

    static UarObject make(Hca hca, int most) throws Refusal {
        Refusal.unless(hca.takeUar(most), Errno.ENOMEM);
        return new UarObject(hca, hca.newNumber());
    }

    UarPage page() {
        return page;
    }

    /** What the process gives to mmap. */
    long offset() {
        return (FIRST_OFFSET + page.index()) * Mappings.PAGE;
    }

    /** The address, or minus the error number. */
    long map() {
        if (mapped) {
            return OpenFile.refused(Errno.EINVAL);
        }
        mapped = true;
        return address;
    }

    /** The device is gone: the process finds zeros, and stores go nowhere. */
    void lose() {
        page.remove();
        hca.memory().clear(address, Mappings.PAGE);
    }

    @Override
    void release() {
        hca.card().removePage(page.index());
        hca.giveUarBack();
        hca.memory().unpin(pin);
        if (!mapped) {
            hca.memory().free(address);
        }
    }
}
