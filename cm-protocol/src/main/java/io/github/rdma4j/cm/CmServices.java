// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.ResolveIbServiceCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/**
 * Services that ports have registered with subnet administration, as an id finds them. Needs InfiniBand and Linux 6.18;
 * see {@link CmId#services()}. Safe for use by several threads.
 */
public final class CmServices {
    private final CmId id;
    private final KernelId at;

    CmServices(CmId id, KernelId at) {
        this.id = id;
        this.at = at;
    }

    /**
     * Asks which ports offer a service ({@code rdma_resolve_addrinfo(3)} with RAI_SA); ADDRINFO_RESOLVED or
     * ADDRINFO_ERROR follows. The kernel does so once for an id, which must be bound to a port.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EOPNOTSUPP where there is no subnet administration, as on Ethernet
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException on older kernels
     */
    public void resolve(ServiceQuery service) throws RdmaException {
        id.command(
                CmCommand.RESOLVE_SERVICE,
                () -> at.ucm()
                        .resolveIbService(new ResolveIbServiceCommand(
                                at.handle(), service.id(), service.name(), service.flags())));
    }

    /**
     * What ADDRINFO_RESOLVED has brought ({@code rdma_query_addrinfo(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODATA when nothing was resolved
     */
    public List<IbServiceRecord> resolved() throws RdmaException {
        id.lock().lock();
        try {
            id.ensureOpen();
            return at.ucm().queryIbService(at.handle()).records();
        } finally {
            id.lock().unlock();
        }
    }
}
