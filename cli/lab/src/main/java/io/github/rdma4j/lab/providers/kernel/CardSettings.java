// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

import io.github.rdma4j.lab.providers.card.Timing;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What kind of kernel, driver and device a {@link CardKernel} has. */
public abstract class CardSettings {
    private final DriverModel model;
    Timing timing = Timing.prompt();
    boolean atomics = true;
    boolean xrc;
    boolean numbersAgain;
    int driverAbi = 1;
    long lockedBytes = Long.MAX_VALUE;

    @Nullable
    SharedPages shared;

    CardSettings(DriverModel model) {
        this.model = model;
    }

    /** The driver. */
    DriverModel model() {
        return model;
    }

    /** A new kernel. */
    public abstract CardKernel start();

    /** Another process uses the kernel as well, and has its mappings at the same addresses. */
    public CardSettings sharing(SharedPages pages) {
        shared = pages;
        return this;
    }

    /** Memory that another process, which uses the same kernel, has at the same addresses. */
    public interface SharedPages {
        /** The memory that the other process has for itself: all of it counts as mapped. */
        ByteBuffer foreign();

        /** Whole pages of zeros for a mapping, at least {@code length} bytes. */
        ByteBuffer allocate(int length);
    }
}
