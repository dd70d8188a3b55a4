// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.IbService;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Services that ports have registered with subnet administration, as an id finds them. Needs InfiniBand and Linux 6.18;
 * see {@link CmId#services()}. Safe for use by several threads.
 */
public final class IbServices {
    private final CmIdCore core;

    IbServices(CmIdCore core) {
        this.core = core;
    }

    /**
     * Asks which ports offer a service ({@code rdma_resolve_addrinfo(3)} with RAI_SA); ADDRINFO_RESOLVED or
     * ADDRINFO_ERROR follows. The kernel does so once for an id, which must be bound to a port.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EOPNOTSUPP where there is no subnet administration, as on Ethernet
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException on older kernels
     */
    public void resolve(Query service) throws RdmaException {
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

    /**
     * The service that {@link IbServices} looks up in subnet administration, named by its number or by its name. Programs make a
     * query where they use {@code rdma_resolve_addrinfo(3)} in C.
     */
    public static final class Query {
        private final long id;
        private final String name;
        private final int flags;

        private Query(long id, String name, int flags) {
            this.id = id;
            this.name = name;
            this.flags = flags;
        }

        /** Looks for the service with this number. */
        public static Query byId(long serviceId) {
            return new Query(serviceId, "", LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_ID);
        }

        /**
         * Looks for the service with this name.
         *
         * @throws IllegalArgumentException for a name that is not 1 to 63 bytes long in UTF-8
         */
        public static Query byName(String serviceName) {
            int length = serviceName.getBytes(StandardCharsets.UTF_8).length;
            if (length == 0 || length > IbService.MAX_NAME) {
                throw new IllegalArgumentException(
                        "a service name of " + length + " bytes; 1 to " + IbService.MAX_NAME + " are possible");
            }
            return new Query(0, serviceName, LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_NAME);
        }

        long id() {
            return id;
        }

        String name() {
            return name;
        }

        int flags() {
            return flags;
        }

        @Override
        public String toString() {
            return name.isEmpty() ? "service 0x" + Long.toHexString(id) : "service " + name;
        }
    }
}
