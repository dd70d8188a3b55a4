// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes.PortAttrEx;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The methods of the ioctl that ask the device what it is. */
final class IoctlQueries {
    /** More than a host has addresses as a rule, and what a command's memory has room for. */
    private static final int GID_CAPACITY = 200;

    private IoctlQueries() {}

    /** All populated GIDs of all ports, or empty where only sysfs has them. */
    static Optional<List<GidEntry>> gidTable(ControlPath path) throws ErrnoException {
        try (IoctlCommand query = path.command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE)) {
            query.constant(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, GidEntryBytes.BYTES);
            query.uint32(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
            int entriesAt = query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, GID_CAPACITY * GidEntryBytes.BYTES);
            int countAt = query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, Long.BYTES);
            int result = path.trySend(query);
            if (result == -Errno.EPROTONOSUPPORT.number() || result == -Errno.EINVAL.number()) {
                return Optional.empty(); // too old a kernel, or more GIDs than fit: it gives all or none
            }
            if (result < 0) {
                throw new ErrnoException("UVERBS_METHOD_QUERY_GID_TABLE", Errno.ofResult(result));
            }
            long count = query.memory().getLong(countAt);
            List<GidEntry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                entries.add(GidEntryBytes.decode(query.memory(), entriesAt + i * GidEntryBytes.BYTES));
            }
            return Optional.of(entries);
        }
    }

    static PortAttr port(ControlPath path, int port) throws ErrnoException {
        try (IoctlCommand query = path.command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT)) {
            query.constant(UVERBS_ATTR_QUERY_PORT_PORT_NUM, port);
            int reply = query.output(UVERBS_ATTR_QUERY_PORT_RESP, PortAttrEx.BYTES);
            path.send(query, "UVERBS_METHOD_QUERY_PORT");
            return PortAttrBytes.decode(query.memory(), reply);
        }
    }
}
