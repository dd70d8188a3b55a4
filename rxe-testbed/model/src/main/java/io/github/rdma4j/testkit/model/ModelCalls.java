// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.testkit.IwarpQueuePairs;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.NetlinkFile;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import java.util.List;

/** The kernel of the model: a connection manager and a soft-RoCE device. A paused command does not hold the lock. */
final class ModelCalls extends MemoryKernel implements IwarpQueuePairs.Manager {
    private static final int FIRST_DESCRIPTOR = 3;
    private static final NetlinkFile.Node CM_NODE =
            new NetlinkFile.Node(ModelDevice.CM_NODE, ModelDevice.CM_NODE, ModelDevice.CM_NUMBER, 4, 0);
    private static final NetlinkFile.Node UVERBS_NODE = new NetlinkFile.Node(
            NetlinkFile.UVERBS, ModelDevice.UVERBS_NODE, ModelDevice.UVERBS_NUMBER, 2, DriverIds.RDMA_DRIVER_RXE);

    private final Faults faults;
    private final ModelDevice device = new ModelDevice();
    private final ModelCm cm = new ModelCm(device, this::file);

    ModelCalls(Faults faults) {
        super(new Mappings(), FIRST_DESCRIPTOR);
        this.faults = faults;
    }

    Faults faults() {
        return faults;
    }

    ModelDevice device() {
        return device;
    }

    ModelCm cm() {
        return cm;
    }

    @Override
    public void serve(IwarpQueuePairs queuePairs) {
        run(() -> cm.messages().serve(queuePairs));
    }

    @Override
    public int open(String path, int flags) {
        boolean isCm = path.endsWith("/" + ModelDevice.CM_NODE);
        if (!isCm && !path.endsWith("/" + ModelDevice.UVERBS_NODE)) {
            return OpenFile.refused(Errno.ENOENT);
        }
        int refusal = faults.before(isCm ? ModelCommand.OPEN_RDMA_CM : ModelCommand.OPEN_UVERBS);
        return refusal != 0 ? refusal : locked(() -> add(isCm ? new CmFile(this) : new UverbsFile(this)));
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return locked(() -> add(new NetlinkFile(
                ModelDevice.NAME,
                ModelDevice.NODE_GUID,
                () -> locked(device::isRemoved) ? List.of(CM_NODE) : List.of(CM_NODE, UVERBS_NODE))));
    }
}
