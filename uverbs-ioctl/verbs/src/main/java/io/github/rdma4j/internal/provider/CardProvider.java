// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** Base of the providers of cards, whose doorbells are stores to a mapped register. */
public abstract class CardProvider extends Provider {
    /** As for {@link Provider}. */
    protected CardProvider(int driverId, int oldestDriverAbi, int newestDriverAbi) {
        super(driverId, oldestDriverAbi, newestDriverAbi, true);
    }
}
