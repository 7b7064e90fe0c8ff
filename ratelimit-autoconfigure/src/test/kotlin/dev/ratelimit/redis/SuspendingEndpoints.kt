package dev.ratelimit.redis

import dev.ratelimit.annotation.RateLimited
import dev.ratelimit.core.RateLimitMode
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** Suspending endpoints of an application on event loops. */
@RestController
open class SuspendingEndpoints {

	@GetMapping("/suspend")
	@RateLimited("suspend", rate = 1.0, per = "1h", capacity = 3)
	open suspend fun suspending(): String = "served"

	@GetMapping("/wait-suspend")
	@RateLimited("wait-suspend", rate = 20.0, capacity = 1, mode = RateLimitMode.WAIT, maxWait = "1m")
	open suspend fun waiting(): String = "served"

}
