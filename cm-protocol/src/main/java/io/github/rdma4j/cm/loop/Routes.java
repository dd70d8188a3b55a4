// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Routes events to the objects of a loop, by id. */
final class Routes {
    private final Callbacks callbacks;
    private final Map<CmId, Route> routes = new ConcurrentHashMap<>();

    Routes(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    /** Handles the events of one id, on the loop's thread. */
    @FunctionalInterface
    interface Route {
        void take(CmEvent event);
    }

    void add(CmId id, Route route) {
        routes.put(id, route);
    }

    void remove(CmId id) {
        routes.remove(id);
    }

    int size() {
        return routes.size();
    }

    /** Dispatches an event and acknowledges it. Callbacks that run later use the event as a copy. */
    void dispatch(CmEvent event) {
        try (event) {
            CmId about = event.listener().orElse(event.id());
            Route route = routes.get(about);
            if (route != null) {
                route.take(event);
            } else if (about.attachment() instanceof CmConnection.EventHandler handler) {
                callbacks.run(() -> tell(handler, event));
            } else if (event.type() == CmEventType.CONNECT_REQUEST) {
                callbacks.close(event.id());
            }
        }
    }

    /** Calls the handler. If it fails for a request, closes the new id, to which nothing else refers. */
    private void tell(CmConnection.EventHandler handler, CmEvent event) throws Exception {
        try {
            handler.onEvent(event);
        } catch (Throwable e) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                callbacks.close(event.id());
            }
            throw e;
        }
    }
}
