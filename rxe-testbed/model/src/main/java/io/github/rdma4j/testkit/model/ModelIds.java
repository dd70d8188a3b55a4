// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The existing CM ids by handle, and their addresses. */
final class ModelIds {
    private static final int FIRST_EPHEMERAL_PORT = 32_768;
    private static final int LAST_PORT = 65_535;
    private static final Errno EADDRINUSE = new Errno(98);
    private static final Errno EADDRNOTAVAIL = new Errno(99);

    private final Map<Integer, ModelId> ids = new TreeMap<>();
    private int nextPort = FIRST_EPHEMERAL_PORT;

    /** Creates an id; its handle is the lowest free one. */
    ModelId create(int portSpace, int qpType, CmFile file, long uid) {
        int handle = 0;
        while (ids.containsKey(handle)) {
            handle++;
        }
        ModelId id = new ModelId(handle, portSpace, qpType, file, uid);
        ids.put(handle, id);
        return id;
    }

    void remove(ModelId id) {
        id.isDestroyed = true;
        ids.remove(id.handle);
    }

    @Nullable
    ModelId get(int handle) {
        return ids.get(handle);
    }

    List<ModelId> all() {
        return new ArrayList<>(ids.values());
    }

    @Nullable
    ModelId listenerAt(InetSocketAddress destination, int portSpace) {
        return ids.values().stream()
                .filter(id -> id.isAskedBy(destination, portSpace))
                .findFirst()
                .orElse(null);
    }

    /** Binds an id to a local address; returns 0 or minus the error number. Port 0 selects a free port. */
    int bind(ModelId id, InetAddress address, int port) {
        if (port != 0) {
            for (ModelId other : ids.values()) {
                if (other != id && isTaken(id, other, port)) {
                    boolean equal = address.equals(other.requireLocal().getAddress());
                    return OpenFile.refused(equal ? EADDRINUSE : EADDRNOTAVAIL);
                }
            }
        }
        id.local = new InetSocketAddress(address, port != 0 ? port : freePort());
        return 0;
    }

    /** The next unused port; wraps around after the last port. */
    private int freePort() {
        int port;
        do {
            port = nextPort;
            nextPort = port < LAST_PORT ? port + 1 : FIRST_EPHEMERAL_PORT;
        } while (isLocal(port));
        return port;
    }

    private boolean isLocal(int port) {
        return ids.values().stream().anyMatch(id -> id.local != null && id.local.getPort() == port);
    }

    /** Fails if another bound id has the address, which a listener cannot share. */
    int requireAlone(ModelId id) {
        InetSocketAddress address = id.requireLocal();
        return ids.values().stream()
                        .anyMatch(other -> other != id
                                && other.portSpace == id.portSpace
                                && other.phase != ModelId.Phase.CONNECTING
                                && address.equals(other.local))
                ? OpenFile.refused(EADDRINUSE)
                : 0;
    }

    /** True if the address is taken; children share the address of their listener. */
    private static boolean isTaken(ModelId id, ModelId other, int port) {
        return other.local != null
                && other.local.getPort() == port
                && other.portSpace == id.portSpace
                && other.phase != ModelId.Phase.CONNECTING
                && !(id.reusesAddress && other.reusesAddress && other.phase != ModelId.Phase.LISTENING);
    }
}
