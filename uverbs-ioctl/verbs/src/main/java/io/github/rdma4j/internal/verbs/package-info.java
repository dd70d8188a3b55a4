// SPDX-License-Identifier: Apache-2.0

/** What the packages and modules beside the verbs need of the verbs, and public classes do not show. */
@NullMarked
package io.github.rdma4j.internal.verbs;

import org.jspecify.annotations.NullMarked;
