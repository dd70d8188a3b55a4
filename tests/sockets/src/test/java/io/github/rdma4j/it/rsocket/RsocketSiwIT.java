// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresSiw;

/** Streams of bytes over soft-iWARP, where a message follows a write. */
@RequiresSiw
class RsocketSiwIT extends RsocketScenarios {}
