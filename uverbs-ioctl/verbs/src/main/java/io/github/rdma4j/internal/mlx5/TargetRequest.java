// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverRequest;

/**
 * The driver's part of CREATE_QP for a target of XRC: zeros but for the user index. Linux 5.15 and later look at nothing of it, and
 * answer nothing.
 *
 * @param index the user index
 */
record TargetRequest(int index) implements DriverExchange {
    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putInt(CreateQp.UIDX, index);
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }
}
