// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresSiw;

/** Direct writes on soft-iWARP. */
@RequiresSiw
class RsocketDirectSiwIT extends RsocketDirectScenarios {}
