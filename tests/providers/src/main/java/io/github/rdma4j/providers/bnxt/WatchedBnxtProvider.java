// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import java.nio.ByteBuffer;

/**
 * The provider of bnxt_re on a device in software. All queues ring in one place of a page, where a later doorbell would hide an
 * earlier one; so each doorbell is kept in the page as well.
 */
public final class WatchedBnxtProvider implements Provider {
    /** No driver of the kernel has this id. */
    public static final int ID = 31;

    private final BnxtProvider provider = new BnxtProvider();

    /** For {@link java.util.ServiceLoader}. */
    public WatchedBnxtProvider() {}

    @Override
    public int driverId() {
        return ID;
    }

    @Override
    public int oldestDriverAbi() {
        return provider.oldestDriverAbi();
    }

    @Override
    public int newestDriverAbi() {
        return provider.newestDriverAbi();
    }

    @Override
    public boolean ringsMappedDoorbells() {
        return provider.ringsMappedDoorbells();
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return provider.context(WatchedDevice.of(device));
    }
}
