// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresSiw;

/** Our rstream and C's on soft-iWARP. */
@RequiresSiw
class RstreamInteropSiwIT extends RstreamInteropScenarios {}
