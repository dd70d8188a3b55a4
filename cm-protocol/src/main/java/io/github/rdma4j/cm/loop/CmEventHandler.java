// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;

/** Is told of events that no future stands for. A callback: see {@link CmEventLoop} for what it may do. */
@FunctionalInterface
public interface CmEventHandler {
    /** The event is acknowledged by the loop. */
    void onEvent(CmEvent event) throws Exception;
}
