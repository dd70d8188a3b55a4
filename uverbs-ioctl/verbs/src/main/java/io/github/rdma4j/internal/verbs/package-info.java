// SPDX-License-Identifier: Apache-2.0

/** Operations on verbs for other packages and modules of rdma4j, which the public classes do not offer. */
@NullMarked
package io.github.rdma4j.internal.verbs;

import org.jspecify.annotations.NullMarked;
