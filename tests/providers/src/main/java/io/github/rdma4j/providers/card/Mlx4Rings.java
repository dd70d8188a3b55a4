// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.ConnectxReceives.Part;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a queue pair of ConnectX-3.
 *
 * @param ring both rings
 * @param record the doorbell record of the receive ring, null without one
 * @param sends the send ring
 * @param receives the receive ring, of no entries without one
 * @param page the page of doorbells
 */
public record Mlx4Rings(Pinned ring, @Nullable Pinned record, Part sends, Part receives, Mlx4Page page)
        implements QpSpec.Rings {
    @Override
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new Mlx4Sends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new ConnectxReceives(ring, record, receives, complaints);
    }
}
