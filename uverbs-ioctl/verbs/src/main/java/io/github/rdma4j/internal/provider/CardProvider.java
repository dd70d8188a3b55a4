// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** Base of the providers of cards, whose doorbells are stores to a mapped register. */
public abstract class CardProvider implements Provider {
    private final int driverId;
    private final int oldestDriverAbi;
    private final int newestDriverAbi;

    /** The parameters are the results of the methods with their names. */
    protected CardProvider(int driverId, int oldestDriverAbi, int newestDriverAbi) {
        this.driverId = driverId;
        this.oldestDriverAbi = oldestDriverAbi;
        this.newestDriverAbi = newestDriverAbi;
    }

    @Override
    public final int driverId() {
        return driverId;
    }

    @Override
    public final int oldestDriverAbi() {
        return oldestDriverAbi;
    }

    @Override
    public final int newestDriverAbi() {
        return newestDriverAbi;
    }

    @Override
    public final boolean ringsMappedDoorbells() {
        return true;
    }
}
