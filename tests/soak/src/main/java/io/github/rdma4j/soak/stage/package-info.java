// SPDX-License-Identifier: Apache-2.0
/** What faults act on and probes ask: the nodes, the processes under test, and what this program has itself. */
@NullMarked
package io.github.rdma4j.soak.stage;

import org.jspecify.annotations.NullMarked;
