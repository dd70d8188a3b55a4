// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresSiw;

/** Our ping and C rping on soft-iWARP, where the kernel moves the queue pair. */
@RequiresSiw
class PingInteropSiwIT extends PingInteropScenarios {}
