// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;

/** A callback for events that no future stands for. {@link CmEventLoop} says what a callback may do. */
@FunctionalInterface
public interface CmEventHandler {
    /** Takes an event. The loop acknowledges the event. */
    void onEvent(CmEvent event) throws Exception;
}
