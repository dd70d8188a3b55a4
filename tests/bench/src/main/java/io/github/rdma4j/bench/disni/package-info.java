// SPDX-License-Identifier: Apache-2.0
/** Programs that use DiSNI's API, over rdma4j or over libdisni: the class path decides whose classes of DiSNI they have. */
@NullMarked
package io.github.rdma4j.bench.disni;

import org.jspecify.annotations.NullMarked;
