// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.IbService;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import java.nio.charset.StandardCharsets;

/**
 * The service that {@link CmServices} looks up in subnet administration, named by its number or by its name. Programs make a
 * query where they use {@code rdma_resolve_addrinfo(3)} in C.
 */
public final class ServiceQuery {
    private final long id;
    private final String name;
    private final int flags;

    private ServiceQuery(long id, String name, int flags) {
        this.id = id;
        this.name = name;
        this.flags = flags;
    }

    /** Looks for the service with this number. */
    public static ServiceQuery byId(long serviceId) {
        return new ServiceQuery(serviceId, "", LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_ID);
    }

    /**
     * Looks for the service with this name.
     *
     * @throws IllegalArgumentException for a name that is not 1 to 63 bytes long in UTF-8
     */
    public static ServiceQuery byName(String serviceName) {
        int length = serviceName.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > IbService.MAX_NAME) {
            throw new IllegalArgumentException(
                    "a service name of " + length + " bytes; 1 to " + IbService.MAX_NAME + " are possible");
        }
        return new ServiceQuery(0, serviceName, LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_NAME);
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
