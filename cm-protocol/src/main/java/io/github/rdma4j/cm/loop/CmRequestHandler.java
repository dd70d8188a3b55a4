// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

/** Is told of connect requests. A callback: see {@link CmEventLoop} for what it may do. */
@FunctionalInterface
public interface CmRequestHandler {
    /** The request may be answered here or later, from any thread. When this throws, it is rejected. */
    void onRequest(CmRequest request) throws Exception;
}
