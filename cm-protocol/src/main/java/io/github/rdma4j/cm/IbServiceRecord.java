// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.attr.Gid;
import java.util.Objects;

/**
 * A port that offers a service, as subnet administration knows it ({@code struct ib_user_service_rec},
 * uapi/rdma/ib_user_sa.h). {@link IbServices} finds the records of a service.
 *
 * @param serviceId the number of the service
 * @param gid the GID of the port
 * @param pkey the partition key, 0 to 0xffff
 * @param lease seconds for which the record is valid
 * @param name the name of the service
 */
public record IbServiceRecord(long serviceId, Gid gid, int pkey, int lease, String name) {
    /** No component is null. */
    public IbServiceRecord {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(name, "name");
    }
}
