// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.attr.Gid;
import java.util.Objects;

/**
 * A record of subnet administration for a service that a port offers ({@code struct ib_user_service_rec},
 * uapi/rdma/ib_user_sa.h). {@link IbServices} finds the records of a service.
 *
 * @param serviceId the id of the service
 * @param gid the GID of the port
 * @param pkey the partition key, 0 to 0xffff
 * @param lease the lease time of the record, in seconds
 * @param name the name of the service
 */
public record IbServiceRecord(long serviceId, Gid gid, int pkey, int lease, String name) {
    /** Checks that no component is null. */
    public IbServiceRecord {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(name, "name");
    }
}
