// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

/** A work request cannot be carried out; nothing has been changed yet. */
final class CardFault extends Exception {
    private static final long serialVersionUID = 1;

    private final Syndrome syndrome;

    CardFault(Syndrome syndrome) {
        super(syndrome.name(), null, false, false);
        this.syndrome = syndrome;
    }

    Syndrome syndrome() {
        return syndrome;
    }
}
