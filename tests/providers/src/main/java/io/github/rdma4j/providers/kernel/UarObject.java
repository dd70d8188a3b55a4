// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.UarPage;
import java.util.List;

/** A page of doorbells, which the process can map once. */
final class UarObject extends KernelObject {
    /** The command of an mmap offset that came from the kernel. */
    private static final long FIRST_OFFSET = 9L << 8;

    private final Hca hca;
    private final UserContext.SharedPage shared;
    private final UarPage page;

    private UarObject(Hca hca, int index) {
        super("uar", List.of());
        this.hca = hca;
        this.shared = new UserContext.SharedPage(hca);
        this.page = new UarPage(index, shared.pin());
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
    long map(int length) {
        return shared.map(length);
    }

    /** The device is gone: the process finds zeros, and stores go nowhere. */
    void lose() {
        page.remove();
        shared.clear();
    }

    @Override
    void release() {
        hca.card().removePage(page.index());
        hca.giveUarBack();
        shared.close();
    }
}
