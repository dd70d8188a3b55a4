// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Memory regions on a ConnectX in software. */
class MemoryRegionCardTest extends MemoryRegionScenarios {
    private @Nullable CardBed card;

    private CardBed card() {
        if (card == null) {
            card = CardBed.prompt();
        }
        return card;
    }

    @Override
    DeviceContext openContext() throws Exception {
        return card().openContext();
    }

    @Override
    Ends connect() throws Exception {
        return card().connect(Loopback.setup());
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
