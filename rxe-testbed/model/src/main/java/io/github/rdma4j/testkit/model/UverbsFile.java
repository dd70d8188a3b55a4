// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.RxeFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.kernel.Errno;

/** An open uverbs device of the model. */
final class UverbsFile extends RxeFile {
    private static final int READS = 128;
    private static final int MANY = 1 << 16;

    /** Four slots of 512 bytes. */
    private static final Ring RING = new Ring(9, 3);

    private final ModelCalls calls;

    UverbsFile(ModelCalls calls) {
        super(calls, calls.device().objects(), RING, RING);
        this.calls = calls;
    }

    @Override
    public long deviceNumber() {
        return ModelDevice.UVERBS_NUMBER;
    }

    @Override
    protected int before(int command) {
        int refusal = calls.faults().before(ModelCommand.of(ModelCommand.Device.UVERBS, command));
        if (refusal != 0) {
            return refusal;
        }
        boolean isGone = calls.locked(calls.device()::isRemoved) && !destroys(command);
        return isGone ? refused(Errno.EIO) : 0;
    }

    @Override
    protected void other(int command, IoctlFrame frame) {
        if (command == QUERY_DEVICE) {
            frame.output(CORE_OUT)
                    .putInt(DeviceAttrBytes.MAX_QP, MANY)
                    .putInt(DeviceAttrBytes.MAX_QP_WR, MANY)
                    .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                    .putInt(DeviceAttrBytes.MAX_CQE, MANY)
                    .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                    .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                    .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) 1);
        }
    }
}
