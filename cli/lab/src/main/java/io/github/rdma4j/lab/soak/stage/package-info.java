// SPDX-License-Identifier: Apache-2.0
/** The environment of faults and probes: the nodes, the processes under test, and the objects of this program. */
@NullMarked
package io.github.rdma4j.lab.soak.stage;

import org.jspecify.annotations.NullMarked;
