// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Nightly;

/** Java and C's riostream on soft-iWARP. */
@RequiresSiw
@Nightly // RstreamInteropSiwIT makes connections of the same kind
class RiostreamInteropSiwIT extends RiostreamInteropScenarios {}
