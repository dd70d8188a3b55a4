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
 * The lookup of services that ports have registered with subnet administration; see {@link CmId#services()}. Requires
 * InfiniBand and Linux 6.18. Safe for use by several threads.
 */
public final class IbServices {
    private final CmIdCore core;

    IbServices(CmIdCore core) {
        this.core = core;
    }

    /**
     * Starts a lookup of the ports that offer a service ({@code rdma_resolve_addrinfo(3)} with RAI_SA).
     * ADDRINFO_RESOLVED or ADDRINFO_ERROR follows. The id must be bound to a port; the kernel allows one lookup for
     * each id.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EOPNOTSUPP if there is no subnet administration, as on Ethernet
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException before Linux 6.18
     */
    public void resolve(Query service) throws RdmaException {
        ResolveIbServiceCommand body =
                new ResolveIbServiceCommand(core.handle(), service.id, service.name, service.flags);
        core.command(CmCommand.RESOLVE_SERVICE, () -> core.ucm().resolveIbService(body));
    }

    /**
     * Returns the records found by the lookup, after ADDRINFO_RESOLVED ({@code rdma_query_addrinfo(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODATA if no lookup has completed
     */
    public List<IbServiceRecord> resolved() throws RdmaException {
        return core.whileOpen(() -> core.ucm().queryIbService(core.handle()).records());
    }

    /** A query for a service in subnet administration, by its id or by its name. */
    public static final class Query {
        private final long id;
        private final String name;
        private final int flags;

        private Query(long id, String name, int flags) {
            this.id = id;
            this.name = name;
            this.flags = flags;
        }

        /** Returns a query for the service with the given id. */
        public static Query byId(long serviceId) {
            return new Query(serviceId, "", LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_ID);
        }

        /**
         * Returns a query for the service with the given name.
         *
         * @throws IllegalArgumentException if the name is not 1 to 63 bytes long in UTF-8
         */
        public static Query byName(String serviceName) {
            int length = serviceName.getBytes(StandardCharsets.UTF_8).length;
            if (length == 0 || length > IbService.MAX_NAME) {
                throw new IllegalArgumentException(
                        "the service name is " + length + " bytes long; it must be 1 to " + IbService.MAX_NAME);
            }
            return new Query(0, serviceName, LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_NAME);
        }

        @Override
        public String toString() {
            return name.isEmpty() ? "service 0x" + Long.toHexString(id) : "service " + name;
        }
    }
}
