// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/**
 * Services that ports have registered with subnet administration, as an id finds them. Needs InfiniBand and Linux 6.18;
 * see {@link CmId#services()}. Safe for use by several threads.
 */
public final class CmServices {
    private final CmIdCore core;

    CmServices(CmIdCore core) {
        this.core = core;
    }

    /**
     * Asks which ports offer a service ({@code rdma_resolve_addrinfo(3)} with RAI_SA); ADDRINFO_RESOLVED or
     * ADDRINFO_ERROR follows. The kernel does so once for an id, which must be bound to a port.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EOPNOTSUPP where there is no subnet administration, as on Ethernet
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException on older kernels
     */
    public void resolve(ServiceQuery service) throws RdmaException {
        ResolveIbServiceCommand body =
                new ResolveIbServiceCommand(core.handle(), service.id(), service.name(), service.flags());
        core.command(CmCommand.RESOLVE_SERVICE, () -> core.ucm().resolveIbService(body));
    }

    /**
     * What ADDRINFO_RESOLVED has brought ({@code rdma_query_addrinfo(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODATA when nothing was resolved
     */
    public List<IbServiceRecord> resolved() throws RdmaException {
        return core.whileOpen(() -> core.ucm().queryIbService(core.handle()).records());
    }
}
