// SPDX-License-Identifier: Apache-2.0

/** Access to the verbs for other packages and modules of rdma4j, beyond the public classes. */
@NullMarked
package io.github.rdma4j.internal.verbs;

import org.jspecify.annotations.NullMarked;
